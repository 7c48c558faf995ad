import {
  FAILURE_TYPES,
  type LabConnectionConfig,
  numberRulesOf,
  type ResultTransport,
} from '@salus/contracts/lab-gateway'
import { findPatternProblem } from '@salus/kernel/operator-patterns'
import { findKindProblems } from '../../fhir/connection.ts'
import { readPeers } from '../../transports/mllp-receiver.ts'
import { PROFILE_DEFAULTS } from './profiles.registry.ts'

/** What is wrong with a connection, for its operator. */
export interface ConnectionProblem {
  /** Path of the key, such as `numbers.placer.format`. */
  path: string
  message: string
}

/** Length of the identifier of an order (EI) before 2.5. */
const LONGEST_OLD_NUMBER = 22
/** Fields on which the exchange itself depends. */
const FIXED_FIELDS = ['MSH-1', 'MSH-2', 'MSH-7', 'MSH-9', 'MSH-10', 'MSH-11', 'MSH-12', 'ORC-1']

/** What would end a field or a segment where the operator's text is written as it is. */
const BREAKING = /[|\p{Cc}]/u

/** Finds what the schema cannot: zones, regular expressions, lengths, fields and codes. */
export function findConnectionProblems(config: LabConnectionConfig): ConnectionProblem[] {
  const shared = [...findKindProblems(config), ...checkZone(config), ...checkResults(config)]
  if (config.profile === 'fhir-r4') {
    return [
      ...shared,
      ...checkPlacer(config),
      ...checkRange(config),
      ...checkPatterns(config),
      ...checkFailures(config),
    ]
  }
  return [
    ...shared,
    ...checkEnvelope(config),
    ...checkNumbers(config),
    ...checkPatterns(config),
    ...checkOrder(config),
    ...checkFailures(config),
  ]
}

function checkZone({ time_zone }: LabConnectionConfig): ConnectionProblem[] {
  try {
    new Intl.DateTimeFormat('en', { timeZone: time_zone })
    // Offsets are zones for Intl, but have no summer time.
    if (/^[+-]/.test(time_zone)) throw new RangeError('an offset')
    return []
  } catch {
    return [{ path: 'time_zone', message: 'There is no IANA time zone of this name.' }]
  }
}

/** Signs by which a laboratory that posts is known; the others sign a request of ours. */
const SIGNS_OF_POSTS = ['basic', 'bearer', 'api_key']

function checkResults({ orders, results }: LabConnectionConfig): ConnectionProblem[] {
  if (results === undefined) return []
  const problems: ConnectionProblem[] = []
  if (results.kind === 'http-receive' && !SIGNS_OF_POSTS.includes(results.auth.kind)) {
    const message = `Posts are signed by one of ${SIGNS_OF_POSTS.join(', ')}.`
    problems.push({ path: 'results.auth.kind', message })
  }
  if ('after' in results && results.after === 'move' && results.done_dir === undefined) {
    problems.push({ path: 'results.done_dir', message: '`move` needs a folder.' })
  }
  if (results.kind === 'mllp-listen') problems.push(...checkListener(results))
  const locationOf = (side: object | undefined) =>
    side !== undefined && 'dir' in side ? `${'host' in side ? side.host : ''} ${side.dir}` : null
  if (locationOf(results) !== null && locationOf(results) === locationOf(orders)) {
    const message = 'Orders and results need folders of their own.'
    problems.push({ path: 'results.dir', message })
  }
  return problems
}

function checkListener({
  peers,
  tls,
}: Extract<ResultTransport, { kind: 'mllp-listen' }>): ConnectionProblem[] {
  const wrong = peers.flatMap((peer, index) =>
    isNetwork(peer) ? [] : [{ path: `results.peers.${index}`, message: 'This is no network.' }],
  )
  const mode = tls?.mode ?? 'off'
  const needed = { off: [], server: ['cert', 'key'], mutual: ['cert', 'key', 'ca'] } as const
  // Without `ca` every certificate of a public authority would be let in.
  const missing = needed[mode].filter((name) => tls?.[name] === undefined)
  return [
    ...wrong,
    ...missing.map((name) => ({
      path: `results.tls.${name}`,
      message: `A listener with the mode \`${mode}\` needs it.`,
    })),
  ]
}

function isNetwork(peer: string): boolean {
  try {
    readPeers([peer])
    return true
  } catch {
    return false
  }
}

function checkEnvelope(config: LabConnectionConfig): ConnectionProblem[] {
  const { envelope = {} } = config
  const defaults = PROFILE_DEFAULTS[config.profile as keyof typeof PROFILE_DEFAULTS].envelope
  const { version, message } = { ...defaults, ...envelope }
  const problems: ConnectionProblem[] = []
  if (message === 'OML^O21' && /^2\.3/.test(version)) {
    problems.push({ path: 'envelope.message', message: `OML^O21 is not a message of ${version}.` })
  }
  const texts = [
    ...Object.entries(envelope).map(([key, value]) => [`envelope.${key}`, String(value)]),
    ...Object.entries(config.order?.set ?? {}).map(([key, value]) => [`order.set.${key}`, value]),
  ] as [string, string][]
  for (const [path, text] of texts) {
    if (BREAKING.test(text)) {
      problems.push({ path, message: 'Field separators and control characters are not allowed.' })
    }
  }
  return problems
}

function checkNumbers(config: LabConnectionConfig): ConnectionProblem[] {
  const { max_length } = numberRulesOf(config).placer
  const defaults = PROFILE_DEFAULTS[config.profile as keyof typeof PROFILE_DEFAULTS]
  const version = config.envelope?.version ?? defaults.envelope.version
  const problems = checkPlacer(config)
  if (!/^2\.5/.test(version) && max_length > LONGEST_OLD_NUMBER) {
    const message = `Numbers of ${version} have at most ${LONGEST_OLD_NUMBER} characters.`
    problems.push({ path: 'numbers.placer.max_length', message })
  }
  return [...problems, ...checkRange(config)]
}

function checkPlacer(config: LabConnectionConfig): ConnectionProblem[] {
  const { format, max_length } = numberRulesOf(config).placer
  const [, digits = '1'] = /\{counter(?::(\d{1,2}))?\}/.exec(format) ?? []
  const length = format.replace(/\{counter(?::\d{1,2})?\}/, '').length + Number(digits)
  if (length <= max_length) return []
  const message = `The format makes numbers of ${length} characters; max_length is ${max_length}.`
  return [{ path: 'numbers.placer.format', message }]
}

function checkRange({ numbers = {} }: LabConnectionConfig): ConnectionProblem[] {
  const problems: ConnectionProblem[] = []
  const { source, range } = numbers.requisition ?? {}
  if (source === 'range' && range === undefined) {
    problems.push({ path: 'numbers.requisition.range', message: 'The source `range` needs it.' })
  }
  if (range !== undefined && range.first > range.last) {
    const message = 'The first number must not be above the last one.'
    problems.push({ path: 'numbers.requisition.range', message })
  }
  return problems
}

function checkPatterns({ numbers, result }: LabConnectionConfig): ConnectionProblem[] {
  const patterns: [string, string][] = (numbers?.strip_from_results ?? []).map((source, index) => [
    `numbers.strip_from_results[${index}]`,
    source,
  ])
  if (result?.range_from_notes !== undefined) {
    patterns.push(['result.range_from_notes', result.range_from_notes])
  }
  return patterns.flatMap(([path, source]) => {
    const message = findPatternProblem(source)
    return message === undefined ? [] : [{ path, message }]
  })
}

function checkOrder({ order = {} }: LabConnectionConfig): ConnectionProblem[] {
  const fields: [string, string][] = [
    ...Object.keys(order.set ?? {}).map((field): [string, string] => ['order.set', field]),
    ...(order.omit ?? []).map((field): [string, string] => ['order.omit', field]),
    ...Object.values(order.aoe_fields ?? {}).map((field): [string, string] => [
      'order.aoe_fields',
      field,
    ]),
  ]
  return fields.flatMap(([path, field]) => {
    if (FIXED_FIELDS.includes(field)) {
      return [{ path, message: `${field} is written by the gateway and cannot be changed.` }]
    }
    return field.endsWith('-0') ? [{ path, message: `${field} is no field.` }] : []
  })
}

function checkFailures({ codes }: LabConnectionConfig): ConnectionProblem[] {
  const types: readonly string[] = FAILURE_TYPES
  return Object.entries(codes?.failure ?? {}).flatMap(([word, type]) =>
    types.includes(type)
      ? []
      : [{ path: `codes.failure.${word}`, message: `${type} is no failure type.` }],
  )
}
