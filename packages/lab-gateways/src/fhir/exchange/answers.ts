import type { StoredAnswer } from '@salus/contracts/lab-gateway'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import { TransportError } from '../../transports/transport.ts'
import { codingsOf, type Json, objectOf, objectsOf, textOf, textsOf } from '../json.ts'
import { relativeOf } from '../results/resources.ts'

/** Issue types of an OperationOutcome after which the same order is to be sent again. */
const PASSING_ISSUES = [
  'transient',
  'lock-error',
  'no-store',
  'exception',
  'timeout',
  'incomplete',
  'throttled',
]
/** Most ids that are kept as numbers of an order. */
const MOST_IDS = 100

/**
 * Reads the answer of a FHIR server to an order or a cancellation. 2xx accepts, and 202 only says
 * that it was stored; an OperationOutcome refuses, unless its problem passes.
 * @throws TransportError when the same bytes are to be sent again
 */
export function readFhirAnswer(answer: OutboundAnswer): StoredAnswer {
  const { status } = answer
  const body = bodyOf(answer)
  const content = answer.bytes()
  const outcomes = outcomesOf(body)
  const issues = outcomes.flatMap(({ issue }) => objectsOf(issue))
  const error = issues.find(({ severity }) => severity === 'fatal' || severity === 'error')
  const isGood = status >= 200 && status < 300
  const failed = isGood ? failedEntry(body) : undefined
  if (isGood && failed === undefined && error === undefined) {
    const state = status === 202 ? 'committed' : 'accepted'
    const fillerNumbers = idsOf(body, answer.header('location'))
    return { state, code: null, location: null, content, fillerNumbers }
  }
  const issue = error ?? issues[0]
  const kind = textOf(issue?.code)
  const isPassing = status === 409 || (kind !== null && PASSING_ISSUES.includes(kind))
  if (isPassing || (issue === undefined && failed === undefined)) {
    throw new TransportError(`http_${status}`)
  }
  return { state: 'refused', ...refusalOf(failed ?? String(status), issue), content }
}

function bodyOf(answer: OutboundAnswer): Json {
  try {
    return objectOf(answer.json())
  } catch {
    return {}
  }
}

const entriesOf = (body: Json): Json[] =>
  body.resourceType === 'Bundle'
    ? objectsOf(body.entry).map(({ response }) => objectOf(response))
    : []

/** OperationOutcomes: the body itself, or those of the entries of a Bundle. */
function outcomesOf(body: Json): Json[] {
  const all = [body, ...entriesOf(body).map(({ outcome }) => objectOf(outcome))]
  return all.filter(({ resourceType }) => resourceType === 'OperationOutcome')
}

/** The status of the first entry that failed; undefined when none did. */
function failedEntry(body: Json): string | undefined {
  const statuses = entriesOf(body).map(({ status }) => textOf(status)?.slice(0, 3) ?? '')
  return statuses.find((status) => /^[45]\d\d$/.test(status))
}

/** The ids that the laboratory gave requests: results may name the order by them alone. */
function idsOf(body: Json, location: string | undefined): string[] {
  const own = textOf(body.id) === null ? [] : [`${String(body.resourceType)}/${String(body.id)}`]
  const locations = [location, ...entriesOf(body).map((entry) => textOf(entry.location))]
  const ids = [...locations.flatMap((each) => relativeOf(each ?? '') ?? []), ...own]
  const requests = ids.filter((id) => /^(?:ServiceRequest|RequestGroup)\//.test(id))
  return [...new Set(requests)].slice(0, MOST_IDS)
}

/** The code of a refusal, without text of the laboratory, and the element that it named. */
function refusalOf(
  status: string,
  issue: Json | undefined,
): { code: string; location: string | null } {
  const codes = [codingsOf(issue?.details)[0]?.code, issue?.code].map(textOf)
  const code = codes.find((each) => each !== null && /^[\w.-]{1,60}$/.test(each))
  const [path] = [...textsOf(issue?.expression), ...textsOf(issue?.location)]
  // A path may have values in it, as in `where(value = '…')`.
  const isPlain = path !== undefined && /^[A-Za-z]+(?:\.[A-Za-z]+(?:\[\d+\])?)*$/.test(path)
  return {
    code: code === undefined || code === null ? status : `${status} ${code}`,
    location: isPlain && path.length <= 100 ? path : null,
  }
}
