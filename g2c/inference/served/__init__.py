"""A model behind a server: Ollama's, and those with OpenAI's API."""
