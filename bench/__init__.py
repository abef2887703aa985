"""Quality and speed of the detector, beside its peers: `python -m bench`.  See README.md."""
