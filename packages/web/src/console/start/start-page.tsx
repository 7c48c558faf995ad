import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function StartPage(): ReactNode {
  return <Page title="Start">{null}</Page>
}
