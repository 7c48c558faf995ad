import { Link } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import './tabs.css'

interface Tab {
  /** Value in the address; the first tab has none. */
  key: string
  title: ReactNode
}

interface TabsProps {
  /** What the tabs divide, for screen readers; not shown. */
  label: string
  /** The search parameter that names the tab. */
  parameter?: string
  tabs: readonly Tab[]
  chosen: string
}

/**
 * Parts of a page, of which one is shown. Each is a link, so that it can be shared and opened in
 * another tab.
 */
export function Tabs({ label, parameter = 'tab', tabs, chosen }: TabsProps): ReactNode {
  const [first] = tabs
  const nav = useRef<HTMLElement>(null)
  // On a narrow screen the chosen one may be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every tab that is chosen
  useLayoutEffect(() => {
    const tab = nav.current?.querySelector<HTMLElement>('[data-chosen]')
    if (nav.current && tab) nav.current.scrollLeft = tab.offsetLeft - nav.current.offsetLeft - 48
  }, [chosen])
  return (
    <nav ref={nav} className="tabs" aria-label={label}>
      {tabs.map(({ key, title }) => (
        <Link
          key={key}
          to="."
          search={{ [parameter]: key === first?.key ? undefined : key } as never}
          resetScroll={false}
          className="tab"
          data-chosen={key === chosen || undefined}
          aria-current={key === chosen ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
