"""OpenTelemetry: spans and log records of any dialect as turns, live and stored.

The way of the data: a stored form or the SDK's own objects -> `span.Span` and `span.Log`
(`forms`) -> traces and the turns in them (`trace`) -> one turn's trajectory, closing and task
(`turn`, over the tables in `dialects`) -> a verdict, settled by what could not be seen.

Reading needs nothing but the standard library.  The live parts need the OpenTelemetry SDK, and
import it when they are made.
"""
