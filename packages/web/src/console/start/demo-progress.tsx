import type { ReactNode } from 'react'
import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconLoader2,
} from '../components/icons.tsx'
import type { DemoTeam } from './use-demo-team.ts'

type Step = DemoTeam['steps'][number]

const TEXTS: Record<Step['step'], string> = {
  settings: 'A team with a sandbox, a key and webhooks',
  first_person: 'The first person, with a ring, a watch and a phone',
  people: 'Six more people and their devices',
  orders: 'Half a year of laboratory orders',
  unmatched_results: 'Results that match no order',
  history: 'Device data of the last three months',
  lab_reports: 'Lab reports, parsed from a page or a photo',
}

const ICONS = {
  waiting: IconCircle,
  running: IconLoader2,
  done: IconCircleCheck,
  failed: IconAlertTriangle,
} as const

const STATES = { waiting: 'waiting', running: 'running', done: 'done', failed: 'failed' } as const

/** Shows the steps of filling the demo team. */
export function DemoProgress({ team }: { team: DemoTeam }): ReactNode {
  const done = team.steps.filter(({ status }) => status === 'done').length
  return (
    <>
      <progress
        className="start-bar"
        value={done}
        max={team.steps.length}
        aria-label="Progress of the demo team"
      />
      <ol className="start-steps">
        {team.steps.map(({ step, status }) => {
          const Icon = ICONS[status]
          return (
            <li key={step} data-status={status}>
              <Icon size={20} stroke={1.8} aria-hidden className="start-icon" />
              <span>{TEXTS[step]}</span>
              <span className="start-state">{STATES[status]}</span>
            </li>
          )
        })}
      </ol>
    </>
  )
}
