import type { components } from '../../../api/openapi.generated.d.ts'
import { INTERPRETATIONS } from '../../../components/interpretations.ts'
import { describeOrderStatus, describeStatusDetail } from '../../../components/order-words.ts'
import type { Tone } from '../../../components/status-badge.tsx'
import { TASK_KIND, type Task } from '../../../review/tasks/task-words.ts'
import { resourceTitle } from '../resource-title.ts'

export type TimelineItem = components['schemas']['TimelineItem']
export type TimelineKind = TimelineItem['kind']

/** Titles of the kinds, in the order of the filter. */
export const KIND_TITLES: Readonly<Record<TimelineKind, string>> = {
  note: 'Notes',
  order: 'Orders',
  appointment: 'Appointments',
  result: 'Results',
  lab_report: 'Lab reports',
  task: 'Tasks',
  connection: 'Connections',
  sync: 'Last syncs',
  historical_pull: 'Histories',
  import: 'Imports',
  export: 'Exports',
  webhook_failure: 'Failed webhook messages',
}

interface ItemWords {
  title: string
  text?: string | null
  tone: Tone
}

const words = (name: string): string => name.replaceAll('_', ' ')
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const CONNECTION: Readonly<Record<string, [text: string, tone: Tone]>> = {
  created: ['was connected', 'good'],
  error: ['stopped working', 'bad'],
  paused: ['was paused', 'neutral'],
  deregistered: ['was disconnected', 'neutral'],
}
const HISTORY: Readonly<Record<string, [text: string, tone: Tone]>> = {
  success: ['history was read', 'good'],
  failure: ['history could not be read', 'bad'],
}
const toneOfStatus = (status: string): Tone => {
  if (/fail|error/.test(status)) return 'bad'
  return /^(completed|final|parsed|success)/.test(status) ? 'good' : 'neutral'
}

type Describe = (item: TimelineItem, nameOf: (slug: string) => string) => ItemWords

const DESCRIBE: Readonly<Record<TimelineKind, Describe>> = {
  note: ({ text }) => ({ title: 'Note', text, tone: 'info' }),
  connection: ({ action, subject, text }, nameOf) => {
    const [happened, tone] = CONNECTION[action] ?? [words(action), 'neutral']
    return { title: `${nameOf(subject ?? '')} ${happened}`, text, tone }
  },
  sync: ({ action, subject, text }, nameOf) => ({
    title: `Last sync of ${nameOf(subject ?? '')}${action === 'failure' ? ' failed' : ''}`,
    text: resourceTitles(text),
    tone: action === 'failure' ? 'bad' : 'good',
  }),
  historical_pull: ({ action, subject, text }, nameOf) => {
    const [happened, tone] = HISTORY[action] ?? [`history is ${words(action)}`, 'neutral']
    return { title: `${nameOf(subject ?? '')}: ${happened}`, text: resourceTitles(text), tone }
  },
  import: ({ action, subject, text }) => ({
    title: `Import${subject === null ? '' : ` of ${words(subject)}`}: ${words(action)}`,
    text,
    tone: toneOfStatus(action),
  }),
  order: ({ action, subject, text }) => {
    const { label, tone } = describeOrderStatus(action)
    const detail = text === null ? null : describeStatusDetail(text)
    return { title: `${subject ?? 'Order'}: ${label.toLowerCase()}`, text: detail, tone }
  },
  appointment: ({ action, subject }) => ({
    title: `Appointment (${words(subject ?? '')}): ${words(action)}`,
    tone: 'neutral',
  }),
  result: ({ action, subject, text }) => {
    const known = INTERPRETATIONS[(text ?? 'unknown') as keyof typeof INTERPRETATIONS]
    return {
      title: `Result of ${subject ?? 'an order'}: ${words(action)}`,
      text: known?.label ?? text,
      tone: known?.tone ?? 'neutral',
    }
  },
  lab_report: ({ action, text }) => ({
    title: `Lab report: ${words(action)}`,
    text: text && capital(words(text)),
    tone: toneOfStatus(action),
  }),
  task: ({ action, subject, text }) => ({
    title: `Task ${words(action)}: ${TASK_KIND[subject as Task['kind']]?.title ?? words(subject ?? '')}`,
    text,
    tone: action === 'opened' ? 'warning' : 'good',
  }),
  export: ({ action, subject }) => ({
    title: `Export (${subject ?? ''}): ${words(action)}`,
    tone: toneOfStatus(action),
  }),
  webhook_failure: ({ subject }) => ({
    title: 'A webhook could not be reached',
    text: subject,
    tone: 'bad',
  }),
}

/** Resources may have the reason of a failure behind them. */
const resourceTitles = (text: string | null): string | null =>
  text === null
    ? null
    : text.replaceAll(
        /(^|, )(\w+)/g,
        (_, before: string, name: string) => `${before}${resourceTitle(name)}`,
      )

/** Describes an item in words, with a tone that repeats them. */
export const describeItem: Describe = (item, nameOf) => DESCRIBE[item.kind](item, nameOf)
