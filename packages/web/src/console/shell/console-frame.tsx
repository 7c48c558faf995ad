import { ActionIcon, NativeSelect, SegmentedControl } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { type EnvironmentKind, teamApi } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { teamsQuery } from '../api/teams.ts'
import { Dialog } from '../components/dialog.tsx'
import { IconMenu2, IconRocket, IconServer2 } from '../components/icons.tsx'
import { Waiting } from '../components/waiting.tsx'
import { taskCountQuery } from '../review/tasks/task-queries.ts'
import { chooseEnvironment, type KeptEnvironment, keepEnvironment } from './kept-environment.ts'
import { NAVIGATION } from './navigation.ts'
import './console-frame.css'
import { useIdleSignOut } from '../session/sign-out.ts'
import { UserMenu } from '../session/user-menu.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** Returns the environment of the address, or on pages without one the last that was open. */
function useChosen(): KeptEnvironment | undefined {
  const { organization } = useSession()
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  const { team, env } = useParams({ strict: false }) as Partial<KeptEnvironment>
  useEffect(() => {
    if (team !== undefined && env !== undefined) keepEnvironment({ team, env })
  }, [team, env])
  if (team !== undefined && env !== undefined) return { team, env }
  return chooseEnvironment(teams)
}

function EnvironmentSwitch({ chosen }: { chosen: KeptEnvironment }): ReactNode {
  const { organization } = useSession()
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  const navigate = useNavigate()
  const go = (params: KeptEnvironment): unknown => navigate({ to: '/$team/$env/people', params })
  return (
    <div className="frame-environment">
      <NativeSelect
        size="sm"
        aria-label="Team"
        value={chosen.team}
        onChange={({ currentTarget }) => go({ ...chosen, team: currentTarget.value })}
        data={teams.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label="Environment"
        value={chosen.env}
        onChange={(env) => go({ ...chosen, env: env as EnvironmentKind })}
        data={[
          { value: 'sandbox', label: 'Sandbox' },
          { value: 'production', label: 'Production' },
        ]}
      />
    </div>
  )
}

/** The number of open tasks, beside their link; nothing while it is not known. */
function OpenTasks({ chosen }: { chosen: KeptEnvironment }): ReactNode {
  const { organization } = useSession()
  const { team, env } = chosen
  const api = teamApi({ org_id: organization.id, team_id: team, env })
  const { data } = useQuery(taskCountQuery({ team: api, key: [team, env] }))
  if (data === undefined || data.open === 0) return null
  return (
    <span className="frame-count">
      {data.open}
      <span className="visually-hidden"> open</span>
    </span>
  )
}

function SideLinks({ chosen }: { chosen: KeptEnvironment | undefined }): ReactNode {
  const { is_operator: isOperator } = useSession()
  return (
    <nav aria-label="Pages" className="frame-links">
      {chosen !== undefined &&
        NAVIGATION.map(({ title, links }) => (
          <div key={title} className="frame-group">
            {title !== '' && <span className="frame-group-title">{title}</span>}
            {links.map(({ to, title, Icon, ...options }) => (
              <Link
                key={to}
                to={to}
                params={{ team: chosen.team, env: chosen.env }}
                className="frame-link"
                activeOptions={{ exact: 'exact' in options, includeSearch: false }}
              >
                <Icon size={18} stroke={1.6} aria-hidden />
                {title}
                {title === 'Tasks' && <OpenTasks chosen={chosen} />}
              </Link>
            ))}
          </div>
        ))}
      <div className="frame-group">
        <span className="frame-group-title">Installation</span>
        <Link to="/start" className="frame-link">
          <IconRocket size={18} stroke={1.6} aria-hidden />
          First steps
        </Link>
        {isOperator && (
          <Link to="/operation" className="frame-link">
            <IconServer2 size={18} stroke={1.6} aria-hidden />
            Operation
          </Link>
        )}
      </div>
    </nav>
  )
}

function Side(): ReactNode {
  const chosen = useChosen()
  return (
    <>
      <Link to="/" className="frame-brand">
        Salus
      </Link>
      {chosen !== undefined && <EnvironmentSwitch chosen={chosen} />}
      <SideLinks chosen={chosen} />
      <div className="frame-foot">
        <UserMenu />
        <ThemeSwitch />
      </div>
    </>
  )
}

/** On narrow screens the sidebar is behind a button. */
function NarrowHead(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const address = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: closed by every change of the address
  useEffect(() => setOpen(false), [address])
  return (
    <header className="frame-head">
      <ActionIcon
        variant="subtle"
        size={44}
        aria-label="Open the menu"
        onClick={() => setOpen(true)}
      >
        <IconMenu2 size={22} aria-hidden />
      </ActionIcon>
      <Link to="/" className="frame-brand">
        Salus
      </Link>
      <Dialog title="Menu" isOpen={isOpen} onClose={() => setOpen(false)} className="frame-drawer">
        <Side />
      </Dialog>
    </header>
  )
}

/** The frame around every page behind the sign-in. */
export function ConsoleFrame(): ReactNode {
  const { env } = useParams({ strict: false }) as Partial<KeptEnvironment>
  useIdleSignOut()
  return (
    <div className="frame" data-environment={env}>
      <a className="frame-skip" href="#main">
        Skip to content
      </a>
      <Suspense fallback={<Waiting label="Loading the console" />}>
        <aside className="frame-side">
          <Side />
        </aside>
        <NarrowHead />
        <main className="frame-main" id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </Suspense>
    </div>
  )
}
