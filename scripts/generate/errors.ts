import { ERROR_TYPES, type ErrorRow, PROBLEM_TYPES } from '@salus/kernel/errors.registry'
import { CODE_RULES } from '../../packages/server/src/openapi/error-responses.ts'
import { code, generatedNotice, joinParts, markdownTable } from './markdown.ts'
import type { OpenApiDocument } from './sdk-operations.ts'

/** docs/errors.md: every code that a refusal can have, and every problem that a 422 can list. */
export function describeErrors(document: OpenApiDocument): string {
  const addresses = addressesOf(document)
  const refusals = Object.entries<ErrorRow>(ERROR_TYPES).sort(
    ([, [one]], [, [other]]) => one - other,
  )
  return joinParts(
    generatedNotice('packages/kernel/src/errors.registry.ts'),
    '# Errors',
    'A refusal is `{"detail": {"error_type": …, "error_message": …}}`; programs go by the code, the message may change. Some have further facts beside the two. Of a 404 `detail` is a text: the code, or for `not_found` a sentence. Of a 422 it is a list of [problems](#problems). More about the bodies: [the contract](contract/01-conventions.md#errors).',
    'Where nothing is said, a code is of every endpoint that does what it is about.',
    '## Codes',
    markdownTable(
      ['Status', 'Code', 'Meaning', 'Where'],
      refusals.map(([name, [status, meaning, where]]) => [
        String(status),
        code(name),
        meaning,
        locationsOf(name, where, addresses).join(', '),
      ]),
    ),
    '## Problems',
    'Each has `loc` (the part of the request, then the way to the field), `msg` in words, and `type`:',
    markdownTable(
      ['Type', 'Meaning'],
      Object.entries(PROBLEM_TYPES).map(([type, meaning]) => [code(type), meaning]),
    ),
  )
}

/** Addresses of operations by their ids. */
function addressesOf({ paths }: OpenApiDocument): Map<string, string> {
  return new Map(
    Object.entries(paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, { operationId }]): [string, string] => [
        operationId,
        `${verb.toUpperCase()} ${path}`,
      ]),
    ),
  )
}

function locationsOf(
  name: string,
  where: ErrorRow[2] = [],
  addresses: Map<string, string>,
): string[] {
  const addressOf = (id: string): string => addresses.get(id) ?? id
  const rules = CODE_RULES.filter(([ruled]) => ruled === name).map(([, words]) => words)
  return [...rules, ...(typeof where === 'string' ? [where] : where.map(addressOf).map(code))]
}
