import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { baseUrl } from '../api/client.ts'
import type { Team } from '../api/teams.ts'
import { Section } from '../components/page.tsx'

/** The first steps with one's own people. */
export function OwnTeam({ team }: { team: Team | undefined }): ReactNode {
  const params = { team: team?.id ?? '', env: 'sandbox' }
  return (
    <Section
      title="Your own people"
      description="A sandbox behaves like the real thing: vendors and laboratories are played by Salus."
    >
      {team !== undefined && (
        <ol className="start-own">
          <li>
            <strong>Make a person.</strong> On{' '}
            <Link to="/$team/$env/people" params={params}>
              People
            </Link>
            , or with the team’s key by <code>POST /v2/user</code>.
          </li>
          <li>
            <strong>Connect a device.</strong> The page of a person has a link to sign in to an
            account; in the sandbox any name and the password <code>correct</code> will do.
          </li>
          <li>
            <strong>Order a test.</strong>{' '}
            <Link to="/$team/$env/orders/new" params={params}>
              New order
            </Link>{' '}
            shows what a laboratory wants to know, and the sandbox brings the result.
          </li>
          <li>
            <strong>Hear of it.</strong> Give an address on{' '}
            <Link to="/$team/$env/webhooks" params={params}>
              Webhooks
            </Link>
            , and keys for your software in{' '}
            <Link to="/$team/$env/settings" params={params}>
              Settings
            </Link>
            .
          </li>
        </ol>
      )}
      <p className="start-note">
        <a href={`${baseUrl}/docs`}>Every operation of the interface</a>, with examples to send from
        the browser.
      </p>
    </Section>
  )
}
