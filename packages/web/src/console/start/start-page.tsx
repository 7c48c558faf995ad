import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { teamsQuery } from '../api/teams.ts'
import { Failure } from '../components/failure.tsx'
import { Page, Section } from '../components/page.tsx'
import { Waiting } from '../components/waiting.tsx'
import { DemoProgress } from './demo-progress.tsx'
import { DemoTour } from './demo-tour.tsx'
import './start-page.css'
import { OwnTeam } from './own-team.tsx'
import { type DemoTeamState, useDemoTeam } from './use-demo-team.ts'

/** First steps: a look around in a demo team, or a start with own data. */
export function StartPage(): ReactNode {
  const { key, organization, is_empty: isEmpty } = useSession()
  const { data: teams = [] } = useQuery(teamsQuery(organization.id))
  return (
    <Page
      title={isEmpty ? 'Welcome to Salus' : 'First steps'}
      description="Health data of wearables and laboratory orders, in one service that you run yourself. Look around with fictional people first, or start with your own."
    >
      {key.role === 'org_admin' && <DemoSection />}
      <OwnTeam team={teams[0]} />
    </Page>
  )
}

function DemoSection(): ReactNode {
  const demo = useDemoTeam()
  return (
    <Section title="Demo team" description={describe(demo)}>
      <div className="start-demo">
        <DemoContent demo={demo} />
        {demo.refusal !== null && <Failure error={demo.refusal} />}
      </div>
    </Section>
  )
}

function describe({ team }: DemoTeamState): string {
  switch (team?.status) {
    case 'filling':
      return 'The team is being filled through the same API that your own software uses. That takes half a minute.'
    case 'ready':
      return 'All its data are fictional, in a sandbox of its own: change what you like.'
    default:
      return 'Seven fictional people with three months of data, so that every page has content.'
  }
}

function DemoContent({ demo }: { demo: DemoTeamState }): ReactNode {
  const { team, error, retry } = demo
  if (error !== null && team === undefined) return <Failure error={error} onRetry={retry} />
  if (team === undefined) return <Waiting label="Loading the demo team" />
  if (team.status === 'none') return <Offer demo={demo} />
  if (team.status === 'ready' && team.team_id !== null) return <DemoTour demo={demo} team={team} />
  return (
    <>
      <DemoProgress team={team} />
      {team.status === 'filling' && (
        <FirstPerson teamId={team.team_id} userId={team.first_user_id} />
      )}
      {team.status === 'failed' && (
        <div className="failure" role="alert">
          <p>The demo team could not be filled. {team.problem}</p>
          <Button onClick={demo.fill} loading={demo.isBusy} className="start-retry">
            Remove and try again
          </Button>
        </div>
      )}
    </>
  )
}

const CONTENT = [
  'People with rings, watches, glucose sensors and cuffs, one of them travelling, one with an expired connection',
  'Laboratory orders at every stage, with results over half a year, appointments and insurance',
  'Results that match no order, and lab reports, one of them a photo that waits for a reviewer',
  'The events of these data, and webhooks with their deliveries',
]

function Offer({ demo }: { demo: DemoTeamState }): ReactNode {
  return (
    <>
      <ul className="start-list">
        {CONTENT.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p className="quiet start-note">
        The people are fictional, no data leave this installation, and you can remove the team again
        as a whole.
      </p>
      <div>
        <Button onClick={demo.fill} loading={demo.isBusy}>
          Create demo team
        </Button>
      </div>
    </>
  )
}

/** Links to the first person, as soon as they exist. */
function FirstPerson(props: { teamId: string | null; userId: string | null }): ReactNode {
  const { teamId: team, userId: user } = props
  return (
    <div className="start-first" aria-live="polite">
      {team !== null && user !== null && (
        <>
          <p>The first person exists already; the others follow while you look around.</p>
          <Link
            to="/$team/$env/people/$user"
            params={{ team, env: 'sandbox', user }}
            className="start-go"
          >
            Open first person
          </Link>
        </>
      )}
    </div>
  )
}
