import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { includesAll, type Permission, useSession } from '../api/session.ts'
import { Page } from '../components/page.tsx'
import { useViewState } from '../shell/view-state.ts'
import { ApiKeys } from './settings/api-keys.tsx'
import { ConsoleSessions } from './settings/console-sessions.tsx'
import { ManagementKeys } from './settings/management-keys.tsx'
import { OrganizationUsers } from './settings/organization-users.tsx'
import { TeamSettings } from './settings/team-settings.tsx'
import { Teams } from './settings/teams.tsx'
import './settings/settings.css'

interface SettingsPart {
  title: string
  Part: () => ReactNode
  permission?: Permission
}

const PARTS: Readonly<Record<string, SettingsPart>> = {
  team: { title: 'Team', Part: TeamSettings },
  'api-keys': { title: 'API keys', Part: ApiKeys, permission: 'keys:read' },
  'management-keys': { title: 'Management keys', Part: ManagementKeys, permission: 'keys:read' },
  users: { title: 'Users', Part: OrganizationUsers, permission: 'keys:read' },
  sessions: { title: 'Sessions', Part: () => <ConsoleSessions /> },
  organization: { title: 'Organization', Part: Teams },
}

/** Settings of the environment and its access: keys, sessions, teams. */
export function SettingsPage(): ReactNode {
  const { teamId, env } = useEnvironment()
  const [{ part }] = useViewState({ part: 'team' })
  const session = useSession()
  const parts = Object.entries(PARTS).filter(
    ([, { permission }]) => permission === undefined || includesAll(session, [permission]),
  )
  const { Part } = parts.find(([name]) => name === part)?.[1] ?? { Part: TeamSettings }
  return (
    <Page title="Settings">
      <nav className="settings-parts" aria-label="Parts of the settings">
        {parts.map(([name, { title }]) => (
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
