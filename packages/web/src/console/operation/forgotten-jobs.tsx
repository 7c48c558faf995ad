import type { ReactNode } from 'react'
import { counted } from '../components/counted.ts'
import { Section } from '../components/page.tsx'
import type { JobKind } from './operation-queries.ts'

/**
 * How the work of jobs that are gone is made up for, by their kind. Other kinds come by themselves
 * or by their cause.
 */
const REMEDIES: Readonly<Record<string, string>> = {
  recover_webhook:
    'Recover the webhook again from the time of the failures: Webhooks, or “salus webhooks recover”.',
  parse_lab_report: 'Upload the reports again that never came to an end.',
  stage_lab_report: 'Upload the reports again that never came to an end.',
  import_apple_health: 'Upload the exports again: what is stored already does not change.',
  process_lab_message: 'Ask the laboratory to send the messages of those days again.',
  dispatch_order: 'Look for orders that were never sent to their laboratory, and place them again.',
  cancel_order_at_lab:
    'Look for cancelled orders of those days, and cancel them at the laboratory.',
  cancel_appointment_at_provider:
    'Look for cancelled appointments of those days, and cancel them at the provider.',
  export_person: 'Make the exports of those people again.',
  erase_person: 'Nothing to do: what is left to erase is looked for once an hour.',
  plan_pulls: 'Nothing to do: connections are pulled again at their next turn.',
}
const OTHERWISE =
  'The log of the server names the failures; mend their cause, and begin the work anew where it began.'

/**
 * Jobs that were given up and are no longer kept: how many there were, and what can still be done.
 */
export function ForgottenJobs({ kinds }: { kinds: readonly JobKind[] }): ReactNode {
  const forgotten = kinds.filter((kind) => kind.forgotten > 0)
  if (forgotten.length === 0) return null
  return (
    <Section
      title="Forgotten"
      description="Given up, kept for 30 days and then removed. They cannot be run again, so their work was never done."
    >
      <dl className="operation-forgotten">
        {forgotten.map(({ kind, forgotten: jobs }) => (
          <div key={kind}>
            <dt>
              <code>{kind}</code>, {counted(jobs, 'job')}
            </dt>
            <dd>{REMEDIES[kind] ?? OTHERWISE}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
