package kitelogik.agent_plan

import rego.v1

total := sum([step.args.amount | some step in input.steps; is_number(step.args.amount)])

# A human looks at plans that move more than 5,000 in all.
requires_hitl contains "This plan moves more than 5,000 in all." if total > 5000
