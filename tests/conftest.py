"""Settings shared by all tests."""

from hypothesis import settings

from compgen_keras.startup import start_quietly

start_quietly()

settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")
