package planlint

import rego.v1

sensitive := {"crm.export", "hr.read", "db.query"}

# What was exported does not leave the company.
deny contains msg if {
	some earlier, source in input.steps
	source.tool_name in sensitive
	some later, step in input.steps
	earlier < later
	step.tool_name == "notify.email"
	recipient := step.args.recipient
	not endswith(recipient, "@example.com")
	msg := "Data of customers would be sent outside of example.com."
}
