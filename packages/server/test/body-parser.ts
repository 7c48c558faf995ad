import Fastify from 'fastify'

const parseDefault = Fastify().getDefaultJsonParser('error', 'error')

/** Parses a text as the server parses bodies of JSON. */
export function parseBody(text: string): unknown {
  let value: unknown
  void parseDefault({} as never, text, (error, parsed) => {
    if (error) throw error
    value = parsed
  })
  return value
}
