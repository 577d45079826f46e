"""nbgrader's settings for this course."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "compgen_keras"
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
c.ExecutePreprocessor.timeout = 900
c.Execute.timeout = 900
