import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { useSession } from '../api/session.ts'
import { demoTeamQuery } from './use-demo-team.ts'

/** Users with more people have seen the console already. */
const FEW_PEOPLE = 10

/** Offers the demo team to users who created a first person of their own, as the README does. */
export function DemoOffer({ people }: { people: number }): ReactNode {
  const { env } = useEnvironment()
  const { key, organization } = useSession()
  const mayFill = env === 'sandbox' && key.role === 'org_admin' && people < FEW_PEOPLE
  const { data: team } = useQuery({ ...demoTeamQuery(organization.id), enabled: mayFill })
  if (!mayFill || team?.status !== 'none') return null
  return (
    <p className="people-offer">
      To see every page with data, <Link to="/start">create a demo team</Link>: seven fictional
      people with three months of data, separate from yours.
    </p>
  )
}
