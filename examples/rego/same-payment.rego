package kitelogik.agent_plan

import rego.v1

# The same payment twice is a mistake.
deny if {
	some first, payment in input.steps
	some second, other in input.steps
	first < second
	is_payment(payment)
	is_payment(other)
	payment.args.account == other.args.account
	payment.args.amount == other.args.amount
}

is_payment(step) if startswith(step.tool_name, "payments.")
