package planlint

import rego.v1

# SQL that removes data is not for agents.
violations contains msg if {
	some step in input.steps
	regex.match(`^\s*(drop|truncate|delete)\b`, lower(step.args.query))
	msg := sprintf("%s would remove data.", [step.tool_name])
}
