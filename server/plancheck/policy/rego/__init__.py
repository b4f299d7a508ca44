"""Policies written in Rego: reading them, what is asked of them, and which steps make a rule fire. All of it is pure;
whoever evaluates a policy is handed in (`workspace.rego`)."""
