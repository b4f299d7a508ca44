package plancheck

import rego.v1

is_verified if {
	some step in input.steps
	step.tool_name == "kyc.verify"
}

# A plan that opens an account verifies the customer somewhere.
deny if {
	not is_verified
}
