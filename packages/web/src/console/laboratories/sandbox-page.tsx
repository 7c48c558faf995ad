import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function SandboxPage(): ReactNode {
  return <Page title="Sandbox">{null}</Page>
}
