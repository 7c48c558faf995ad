import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Page, Section } from '../../components/page.tsx'
import '../laboratories.css'
import { ClockSection } from './clock-section.tsx'
import { OpenOrders } from './open-orders.tsx'
import './sandbox.css'

/** Tools of a sandbox: moving its clock, and simulating orders. */
export function SandboxPage(): ReactNode {
  const { teamId, env } = useEnvironment()
  if (env !== 'sandbox') {
    return (
      <Page title="Sandbox">
        <EmptyState
          title="This is production."
          action={
            <Link to="/$team/$env/sandbox" params={{ team: teamId, env: 'sandbox' }}>
              Open sandbox
            </Link>
          }
        >
          Simulations work only in the sandbox of the team. Here real laboratories do the work.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page
      title="Sandbox"
      description="Salus simulates the laboratories, the couriers, the phlebotomists and the kit vendors."
    >
      <ClockSection />
      <OpenOrders />
      <Section
        title="Other simulations"
        description="Unmatched results, lab reports and example events have pages of their own."
      >
        <ul className="plain-links">
          <li>
            <Link to="/$team/$env/matching" params={{ team: teamId, env }}>
              Simulate an unmatched result
            </Link>
          </li>
          <li>
            <Link to="/$team/$env/reports" params={{ team: teamId, env }}>
              Upload a lab report
            </Link>
          </li>
          <li>
            <Link to="/$team/$env/webhooks" params={{ team: teamId, env }}>
              Send an example event
            </Link>
          </li>
        </ul>
      </Section>
    </Page>
  )
}
