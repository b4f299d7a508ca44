package kitelogik.agent_plan

import rego.v1

# Above 1,000 a human looks.
requires_hitl if {
	some step in input.steps
	step.args.amount > 1000
}
