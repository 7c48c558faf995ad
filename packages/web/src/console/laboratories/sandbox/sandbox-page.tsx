import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Page, Section } from '../../components/page.tsx'
import '../laboratories.css'
import { ClockSection } from './clock-section.tsx'
import { OpenOrders } from './open-orders.tsx'
import './sandbox.css'

/** What only a sandbox can do: move its time, and lead orders to any end. */
export function SandboxPage(): ReactNode {
  const { teamId, env } = useEnvironment()
  if (env !== 'sandbox') {
    return (
      <Page title="Sandbox">
        <EmptyState
          title="This is production"
          action={
            <Link to="/$team/$env/sandbox" params={{ team: teamId, env: 'sandbox' }}>
              Go to the sandbox of the team
            </Link>
          }
        >
          Here real laboratories do the work, and time goes as it goes.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page
      title="Sandbox"
      description="Salus plays the laboratory, the couriers, the phlebotomists and the vendor of kits."
    >
      <ClockSection />
      <OpenOrders />
      <Section
        title="More to try"
        description="Results that fit no order, and reports as PDF, have pages of their own."
      >
        <ul className="plain-links">
          <li>
            <Link to="/$team/$env/matching" params={{ team: teamId, env }}>
              Make a result that fits no order
            </Link>
          </li>
          <li>
            <Link to="/$team/$env/reports" params={{ team: teamId, env }}>
              Have a lab report read
            </Link>
          </li>
          <li>
            <Link to="/$team/$env/webhooks" params={{ team: teamId, env }}>
              Send an example of any event
            </Link>
          </li>
        </ul>
      </Section>
    </Page>
  )
}
