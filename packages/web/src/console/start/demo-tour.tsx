import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import {
  IconBolt,
  IconFileSearch,
  IconHeartbeat,
  IconTestPipe,
  IconUserSearch,
  IconUsers,
} from '../components/icons.tsx'
import type { DemoTeam, DemoTeamState } from './use-demo-team.ts'

const STOPS = [
  {
    to: '/$team/$env/people/$user',
    Icon: IconHeartbeat,
    title: 'One person',
    text: 'Heart rate, sleep, workouts and blood pressure, and which device each value came from',
  },
  {
    to: '/$team/$env/people',
    Icon: IconUsers,
    title: 'All people',
    text: 'Connections of all people, and their problems',
  },
  {
    to: '/$team/$env/orders',
    Icon: IconTestPipe,
    title: 'Orders',
    text: 'Orders with their progress and results',
  },
  {
    to: '/$team/$env/matching',
    Icon: IconUserSearch,
    title: 'Result review',
    text: 'Results that match no order unambiguously: decide where they belong',
  },
  {
    to: '/$team/$env/reports',
    Icon: IconFileSearch,
    title: 'Lab reports',
    text: 'Parsed results beside the page of the document',
  },
  {
    to: '/$team/$env/events',
    Icon: IconBolt,
    title: 'Events',
    text: 'Events that your software received, and its responses',
  },
] as const

/** Links into a demo team, and a button that removes it. */
export function DemoTour({ demo, team }: { demo: DemoTeamState; team: DemoTeam }): ReactNode {
  const params = {
    team: team.team_id ?? '',
    env: 'sandbox',
    user: team.first_user_id ?? '',
  } as const
  return (
    <>
      <ul className="start-tour">
        {STOPS.map(({ to, Icon, title, text }) => (
          <li key={to}>
            <Link to={to} params={params} className="start-stop">
              <Icon size={24} stroke={1.5} aria-hidden />
              <span>
                <strong>{title}</strong>
                <span className="start-stop-text">{text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <RemoveDemo demo={demo} />
    </>
  )
}

function RemoveDemo({ demo }: { demo: DemoTeamState }): ReactNode {
  const [isAsked, setAsked] = useState(false)
  const remove = (): void => {
    demo
      .remove()
      .catch(() => undefined)
      .finally(() => setAsked(false))
  }
  return (
    <div>
      <Button variant="subtle" color="red" onClick={() => setAsked(true)}>
        Remove demo team
      </Button>
      <Dialog
        title="Remove the demo team?"
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        actions={
          <>
            <Button variant="default" onClick={() => setAsked(false)}>
              Keep demo team
            </Button>
            <Button color="red" onClick={remove} loading={demo.isBusy}>
              Remove demo team
            </Button>
          </>
        }
      >
        <p>
          The team, its people, orders and reports are removed at once, including your changes. You
          can create it again at any time.
        </p>
      </Dialog>
    </div>
  )
}
