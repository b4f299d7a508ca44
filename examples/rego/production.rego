package plancheck

import rego.v1

# In production, nothing is deleted, and a deployment needs a window.
deny := "Nothing is deleted in production." if {
	input.context.environment == "production"
	some step in input.steps
	endswith(step.tool_name, ".delete")
} else := "A deployment to production needs `args.window`." if {
	input.context.environment == "production"
	some step in input.steps
	step.tool_name == "deploy.release"
	not step.args.window
}
