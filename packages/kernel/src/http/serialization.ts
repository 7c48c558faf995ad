import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>

/**
 * Compiles the serializer of a route with its first answer. Compiling those of all routes takes
 * half a second, at every start and in every process of the tests.
 */
export const buildLazySerializer: NonNullable<CompilersFactory['buildSerializer']> = (
  externalSchemas,
  options,
) => {
  const compile = SerializerSelector()(externalSchemas, options)
  return (route) => {
    let serialize: ((data: unknown) => string) | undefined
    return (data: unknown) => {
      serialize ??= compile(route as Parameters<typeof compile>[0])
      return serialize(data)
    }
  }
}
