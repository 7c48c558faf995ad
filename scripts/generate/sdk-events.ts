import type { EventType } from '@salus/contracts/event-type'
import { formatTypeScript } from './format.ts'
import { joinParts } from './markdown.ts'
import { codeNotice, docComment, typeOf } from './sdk-types.ts'

/** Names that the SDK or these types use already. */
const TAKEN_NAMES = new Set([
  ...'EventDataByType EVENT_TYPES EventEnvelope EventTypeName EventTypePrefix'.split(' '),
  ...'KnownEvent SalusEvent UnknownEvent UnknownEventType Record'.split(' '),
  ...'AggregateFunction DatePart Period PeriodUnit ValueMacro Comparison Filter'.split(' '),
  ...'Align QueryAnswer QueryJson QueryRequest QueryTable QueryValue SourceRule'.split(' '),
  ...'VerifyWebhookOptions WebhookHeaders WebhookToSign'.split(' '),
  ...'WebhookVerificationError WebhookVerificationErrorCode'.split(' '),
])

/** Generates packages/sdk/src/events.generated.ts: the types of events and of their data. */
export function describeSdkEvents(types: readonly EventType[]): string {
  const declarations = new Map<string, string>()
  const names = types.map(({ name }) => JSON.stringify(name))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`There are two events with the name ${twice}.`)
  const members = types.map(({ name, data, meaning }) => {
    const type = typeOf(data, { path: name, depth: 2, declarations, takenNames: TAKEN_NAMES })
    return `${docComment([meaning], '  ')}  ${JSON.stringify(name)}: ${type}\n`
  })
  const titled = [...declarations].sort(([one], [other]) => (one < other ? -1 : 1))
  const parts = [
    codeNotice('the event types in packages/server/src'),
    ...titled.map(([, declaration]) => declaration),
    `/** Data of events by type. */\nexport interface EventDataByType {\n${members.join('')}}`,
    `/** Every event that this version knows. */\nexport const EVENT_TYPES: readonly (keyof EventDataByType)[] = [${names.join(', ')}]`,
  ]
  return formatTypeScript(joinParts(...parts))
}
