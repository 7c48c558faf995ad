import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { IconTestPipe } from '../../components/icons.tsx'
import { Id } from '../../components/id.tsx'
import { ShownZone } from '../../components/instant.tsx'
import { Page } from '../../components/page.tsx'
import { UnitsOfPerson } from '../../components/units.ts'
import { nameOf } from './person-name.ts'
import { type Person, zoneOf } from './person-queries.ts'
import { PortalLinkButton } from './rights/portal.tsx'

/** The page of a person with name, ids and local time in its head. */
export function PersonFrame({
  person,
  children,
}: {
  person: Person
  children: ReactNode
}): ReactNode {
  const { teamId, env } = useEnvironment()
  const name = nameOf(person)
  return (
    <Page
      title={name ?? person.client_user_id}
      // Browsers keep titles of tabs in their history.
      documentTitle="Person"
      above={
        <Link to="/$team/$env/people" params={{ team: teamId, env }}>
          People
        </Link>
      }
      actions={
        <>
          <PortalLinkButton userId={person.user_id} />
          <Allowed to="orders:write">
            <Button
              variant="outline"
              leftSection={<IconTestPipe size={18} aria-hidden />}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/$team/$env/orders/new"
                  params={{ team: teamId, env }}
                  search={{ user: person.user_id } as never}
                />
              )}
            >
              Order test
            </Button>
          </Allowed>
        </>
      }
    >
      <ShownZone value={zoneOf(person)}>
        <UnitsOfPerson value={person.shown_units}>
          <Facts person={person} />
          {children}
        </UnitsOfPerson>
      </ShownZone>
    </Page>
  )
}

function Facts({ person }: { person: Person }): ReactNode {
  const zone = person.fallback_time_zone?.id
  return (
    <dl className="person-facts">
      <div>
        <dt>Client id</dt>
        <dd>
          <code>{person.client_user_id}</code>
        </dd>
      </div>
      <div>
        <dt>Id</dt>
        <dd>
          <Id value={person.user_id} of="the person" />
        </dd>
      </div>
      {person.email !== null && (
        <div>
          <dt>E-mail</dt>
          <dd>{person.email}</dd>
        </div>
      )}
      <div>
        <dt>Local time</dt>
        <dd>
          {zone === undefined ? (
            <span className="quiet">unknown zone, times below are UTC</span>
          ) : (
            <LocalTime zone={zone} />
          )}
        </dd>
      </div>
    </dl>
  )
}

/** Shows the local time of the person now. */
function LocalTime({ zone }: { zone: string }): ReactNode {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 20_000)
    return () => clearInterval(timer)
  }, [])
  const time = now.toLocaleTimeString('en', { timeZone: zone, timeStyle: 'short' })
  const day = now.toLocaleDateString('en', { timeZone: zone, weekday: 'short' })
  return (
    <span>
      {day} {time} <span className="quiet">{zone.replaceAll('_', ' ')}</span>
    </span>
  )
}
