import { hash } from 'node:crypto'
import { findBuildId } from '@salus/kernel/build-id'
import { hasTag } from '@salus/kernel/http/entity-tags'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findDataVersion } from './data-versions.repository.ts'

/** A read whose answers get a tag. */
export interface VersionedRead {
  /** Whether priorities of sources decide about the answer. */
  isByPriority?: boolean
  /**
   * Returns what the answer depends on beside the request and the data of the person, such as
   * settings of the process; false when it depends on the present time.
   */
  findParts: (request: FastifyRequest) => readonly unknown[] | false
  /** Whether the handler finds the version, with the first of its data, and tags the answer. */
  isFoundByHandler?: boolean
}

/** Gives an answer its tag, by the version that was found with its data or before them. */
export type TagAnswer = (version: string | undefined) => void

const waiting = new WeakMap<FastifyRequest, TagAnswer>()

/** Returns what a handler calls with the version that it finds; undefined when it needs none. */
export const tagAnswerOf = (request: FastifyRequest): TagAnswer | undefined => waiting.get(request)

/** Whether the query of a read has an end. Without one its answer depends on the present time. */
export const hasEnd = ({ query }: FastifyRequest): boolean =>
  Boolean((query as { end_date?: string | null }).end_date)

/**
 * Returns a preHandler hook that gives the answers of a read about a person an ETag, and answers
 * 304 without reading anything to a client that sends the current one. The version of the data is
 * found before they are read, or with the first of them, so an answer is never older than its tag
 * (docs/http.md#unchanged-data).
 */
export function answerUnchanged(read: VersionedRead) {
  const { isByPriority = false, findParts, isFoundByHandler = false } = read
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    const { scope, params, headers } = request
    // Of several replicas one may be behind, so that an answer is older than its version.
    if (scope.clickhouse.cluster !== undefined) return undefined
    const parts = findParts(request)
    const build = findBuildId()
    if (parts === false || build === undefined) return undefined
    const addTag = (version: string | undefined): string | undefined => {
      if (version === undefined) return undefined
      const about = [request.url, headers.accept, scope.environment.id]
      const text = JSON.stringify([build, version, ...about, ...parts])
      const tag = `W/"${hash('sha256', text, 'base64url').slice(0, 32)}"`
      reply.header('etag', tag)
      return tag
    }
    const known = headers['if-none-match']
    // Only a client with an answer may be spared the data.
    if (known === undefined && isFoundByHandler) {
      waiting.set(request, addTag)
      return undefined
    }
    const { user_id: userId } = params as { user_id: string }
    const tag = addTag(await findDataVersion(scope, userId, { isByPriority }))
    // `*` is of any answer, and whether there is one is not known yet: it may be an error.
    const isKnown = tag !== undefined && known?.trim() !== '*' && hasTag(known, tag)
    return isKnown ? reply.code(304).send() : undefined
  }
}
