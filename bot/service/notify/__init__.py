"""Messages to the operator over a webhook."""
