"""Processes as the system sees them: started, inspected, ended with all that they started."""
