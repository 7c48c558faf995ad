import type { FileStore } from '@salus/kernel/files/file-store'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { Scope, Stores } from '@salus/kernel/scope'
import type { LabGateways } from '../gateways/index.ts'
import { MessageWriter, PROCESS_LAB_MESSAGE } from './message-writer.ts'

/** Dependencies for reading and applying messages. */
export interface Inbox {
  files: FileStore
  gateways: LabGateways
}

/** Opens the inbound side of every gateway, so that messages are stored from now on. */
export function openInbox(stores: Stores, gateways: LabGateways): void {
  const { simulator, couriers, connected } = gateways
  const writer = new MessageWriter(stores)
  // A step of a sandbox is the id of its message, whatever the message says when it is made again.
  // So is the scan of a parcel, whatever else the courier says of it.
  const isIdUnique = true
  for (const gateway of [simulator, ...couriers.sandbox, ...couriers.production]) {
    void gateway.open((message) => writer.store(gateway.name, message, { isIdUnique }))
  }
  connected.open((gateway, message) => writer.store(gateway, message))
}

/** Adds the job that processes a message when the transaction commits. */
export function addMessageJob({ db, environment }: Scope, messageId: string): Promise<void> {
  return addJob(db, PROCESS_LAB_MESSAGE, { environmentId: environment.id, messageId })
}
