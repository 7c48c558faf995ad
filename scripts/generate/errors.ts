import { ERROR_TYPES, type ErrorRow, PROBLEM_TYPES } from '@salus/kernel/errors.registry'
import { CODE_RULES } from '../../packages/server/src/openapi/error-responses.ts'
import { code, generatedNotice, joinParts, markdownTable } from './markdown.ts'
import type { OpenApiDocument } from './sdk-operations.ts'

/** Generates docs/errors.md: every code of an error, and every problem of a 422. */
export function describeErrors(document: OpenApiDocument): string {
  const addresses = addressesOf(document)
  const refusals = Object.entries<ErrorRow>(ERROR_TYPES).sort(
    ([, [one]], [, [other]]) => one - other,
  )
  return joinParts(
    generatedNotice('packages/kernel/src/errors.registry.ts'),
    '# Errors',
    'An error is `{"detail": {"error_type": …, "error_message": …}}`. Programs should use the code, because the message may change. Some errors have further fields beside the two. The `detail` of a 404 is a text: the code, or for `not_found` a sentence. The `detail` of a 422 is a list of [problems](#problems). More about the bodies: [the contract](contract/01-conventions.md#errors).',
    'A code without operations can occur at every endpoint that it applies to.',
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
    'Each problem has `loc` (the part of the request, then the path to the field), `msg` (a sentence), and `type`:',
    markdownTable(
      ['Type', 'Meaning'],
      Object.entries(PROBLEM_TYPES).map(([type, meaning]) => [code(type), meaning]),
    ),
  )
}

/** Returns the addresses of operations by their ids. */
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
