"""What every stand-in needs: an HTTP server that can misbehave, scripts that tell it when."""
