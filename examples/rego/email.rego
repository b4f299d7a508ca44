package planlint

import rego.v1

# An email has a subject.
violations contains {"msg": "An email needs a subject.", "code": "NO_SUBJECT", "step": position} if {
	some position, step in input.steps
	step.tool_name == "notify.email"
	object.get(step.args, "subject", "") == ""
}

# Nobody writes to everybody.
deny contains "An email goes to at most 2 people." if {
	some step in input.steps
	step.tool_name == "notify.email"
	count(step.args.cc) > 2
}
