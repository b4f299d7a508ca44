package planlint

import rego.v1

# A payment needs an approval before it.
deny contains {"msg": msg, "step": position, "code": "NO_APPROVAL"} if {
	some position, step in input.steps
	startswith(step.tool_name, "payments.")
	not approved_before(position)
	msg := sprintf("%s needs an approval before it.", [step.tool_name])
}

approved_before(position) if {
	some earlier, step in input.steps
	earlier < position
	step.tool_name == "approvals.request"
}
