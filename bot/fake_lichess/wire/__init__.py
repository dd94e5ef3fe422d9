"""The listener, and what goes over the wire: responses and streams of lines."""
