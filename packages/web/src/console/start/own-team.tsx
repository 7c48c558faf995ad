import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { baseUrl } from '../api/client.ts'
import type { Team } from '../api/teams.ts'
import { Section } from '../components/page.tsx'

/** The first steps with a team's own people. */
export function OwnTeam({ team }: { team: Team | undefined }): ReactNode {
  const params = { team: team?.id ?? '', env: 'sandbox' }
  return (
    <Section
      title="Your own people"
      description="In a sandbox Salus simulates the vendors and laboratories."
    >
      {team !== undefined && (
        <ol className="start-own">
          <li>
            <strong>Create a person.</strong> Open{' '}
            <Link to="/$team/$env/people" params={params}>
              People
            </Link>
            , or send <code>POST /v2/user</code> with the team’s API key.
          </li>
          <li>
            <strong>Connect a device.</strong> The page of a person creates a link to sign in to an
            account; in the sandbox any name works with the password <code>correct</code>.
          </li>
          <li>
            <strong>Order a test.</strong>{' '}
            <Link to="/$team/$env/orders/new" params={params}>
              New order
            </Link>{' '}
            shows what a laboratory requires, and the sandbox simulates the result.
          </li>
          <li>
            <strong>Receive events.</strong> Add an endpoint under{' '}
            <Link to="/$team/$env/webhooks" params={params}>
              Webhooks
            </Link>
            , and create keys for your software under{' '}
            <Link to="/$team/$env/settings" params={params}>
              Settings
            </Link>
            .
          </li>
        </ol>
      )}
      <p className="start-note">
        <a href={`${baseUrl}/docs`}>All operations of the API</a>, with examples that you can send
        from the browser.
      </p>
    </Section>
  )
}
