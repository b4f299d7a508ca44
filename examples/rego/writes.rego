package kitelogik.agent_plan

import rego.v1

writing := {"db.write", "crm.update", "file.write"}

# At most 3 writes in a plan.
deny contains msg if {
	count([step | some step in input.steps; step.tool_name in writing]) > 3
	msg := "A plan may write at most 3 times."
}
