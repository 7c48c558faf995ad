import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { Page } from '../components/page.tsx'
import { useViewState } from '../shell/view-state.ts'
import { ApiKeys } from './settings/api-keys.tsx'
import { ConsoleSessions } from './settings/console-sessions.tsx'
import { ManagementKeys } from './settings/management-keys.tsx'
import { TeamSettings } from './settings/team-settings.tsx'
import { Teams } from './settings/teams.tsx'
import './settings/settings.css'

const PARTS = {
  team: { title: 'Team', Part: TeamSettings },
  'api-keys': { title: 'API keys', Part: ApiKeys },
  'management-keys': { title: 'Management keys', Part: ManagementKeys },
  sessions: { title: 'Sessions', Part: ConsoleSessions },
  organization: { title: 'Organization', Part: Teams },
} as const

/** Settings of the environment and its access: keys, sessions, teams. */
export function SettingsPage(): ReactNode {
  const { teamId, env } = useEnvironment()
  const [{ part }] = useViewState({ part: 'team' })
  const shown = part in PARTS ? (part as keyof typeof PARTS) : 'team'
  const { Part } = PARTS[shown]
  return (
    <Page title="Settings">
      <nav className="settings-parts" aria-label="Parts of the settings">
        {Object.entries(PARTS).map(([name, { title }]) => (
          <Link
            key={name}
            to="/$team/$env/settings"
            params={{ team: teamId, env }}
            search={(name === 'team' ? {} : { part: name }) as never}
            className="settings-part"
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {title}
          </Link>
        ))}
      </nav>
      <Part key={`${teamId}/${env}`} />
    </Page>
  )
}
