import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { useSession } from '../api/session.ts'
import { demoTeamQuery } from './use-demo-team.ts'

/** Whoever has more people is past looking around. */
const FEW_PEOPLE = 10

/** Leads who began with a person of their own, as the tour of the README does, to the demo team. */
export function DemoOffer({ people }: { people: number }): ReactNode {
  const { env } = useEnvironment()
  const { key, organization } = useSession()
  const mayFill = env === 'sandbox' && key.role === 'org_admin' && people < FEW_PEOPLE
  const { data: team } = useQuery({ ...demoTeamQuery(organization.id), enabled: mayFill })
  if (!mayFill || team?.status !== 'none') return null
  return (
    <p className="people-offer">
      To see every page with something on it, <Link to="/start">fill a demo team</Link>: seven
      made-up people with three months of data, apart from yours.
    </p>
  )
}
