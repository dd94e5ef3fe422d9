"""Work spread over processes: those of this machine, or a Dask cluster."""
