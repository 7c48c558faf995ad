import type { ReactNode } from 'react'
import { formatQuantity } from '../components/format-quantity.ts'
import { Section } from '../components/page.tsx'
import type { JobKind } from './operation-queries.ts'

/**
 * What an operator can do about jobs that were deleted, by kind. Other kinds are enqueued again by
 * themselves or by their cause.
 */
const REMEDIES: Readonly<Record<string, string>> = {
  recover_webhook:
    'Recover the webhook again from the time of the failures: Webhooks, or “salus webhooks recover”.',
  parse_lab_report: 'Upload the reports again that were never completed.',
  stage_lab_report: 'Upload the reports again that were never completed.',
  import_apple_health: 'Upload the exports again: data that are stored already do not change.',
  process_lab_message: 'Ask the laboratory to send the messages of those days again.',
  dispatch_order: 'Look for orders that were never sent to their laboratory, and place them again.',
  cancel_order_at_lab:
    'Look for cancelled orders of those days, and cancel them at the laboratory.',
  cancel_appointment_at_provider:
    'Look for cancelled appointments of those days, and cancel them at the provider.',
  export_person: 'Make the exports of those people again.',
  erase_person: 'Nothing to do: open erasures are enqueued again once an hour.',
  plan_pulls: 'Nothing to do: connections are pulled again at their next turn.',
}
const OTHERWISE =
  'The log of the server names the failures. Mend their cause, then start the work again.'

/** Lists jobs that were given up and deleted, by kind, with what can still be done. */
export function ForgottenJobs({ kinds }: { kinds: readonly JobKind[] }): ReactNode {
  const forgotten = kinds.filter((kind) => kind.forgotten > 0)
  if (forgotten.length === 0) return null
  return (
    <Section
      title="Deleted jobs"
      description="Jobs that were given up are deleted after 30 days. They cannot be run again, so their work was never done."
    >
      <dl className="operation-forgotten">
        {forgotten.map(({ kind, forgotten: jobs }) => (
          <div key={kind}>
            <dt>
              <code>{kind}</code>, {formatQuantity(jobs, 'job')}
            </dt>
            <dd>{REMEDIES[kind] ?? OTHERWISE}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
