import type { Requisition } from '@salus/contracts/lab-gateway'
import type { SealedColumn } from '@salus/kernel/crypto/reseal'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import type { HealthInsuranceCreateRequest } from '../order-requests.schema.ts'
import type { OrderRow } from '../orders.repository.ts'
import { type InsuranceImages, readImages } from './health-insurance.ts'
import * as repository from './insurance-images.repository.ts'

/** Encryption context that binds images to their person. */
const contextOf = (userId: string): string => `insurance images of ${userId}`

/** The column, for rotation of the encryption key. */
export const SEALED_INSURANCE_IMAGES: SealedColumn = {
  table: 'order_insurance_images',
  column: 'sealed',
  key: ['environment_id', 'order_id', 'user_id'],
  contextOf: ({ user_id: userId = '' }) => contextOf(userId),
}

/** Stores the images of an order in its transaction. */
export async function storeImages(
  tx: TransactionScope,
  secrets: SecretBox,
  order: { id: string; user_id: string },
  given: HealthInsuranceCreateRequest | null | undefined,
): Promise<void> {
  const images = readImages(given)
  if (images === null) return
  const sealed = secrets.seal(JSON.stringify(images), contextOf(order.user_id))
  await repository.insertImages(tx, { order_id: order.id, user_id: order.user_id, sealed })
}

/** Copies the images of an order to the order that follows it; both have the same person. */
export async function copyImages(
  tx: TransactionScope,
  from: OrderRow,
  to: { id: string },
): Promise<void> {
  if (from.health_insurance?.has_images) await repository.copyImages(tx, from.id, to.id)
}

/** Returns the requisition with the images of its order, for the dispatch. */
export async function addImages(
  scope: Scope,
  secrets: SecretBox,
  row: OrderRow,
  requisition: Requisition,
): Promise<Requisition> {
  const { billing } = requisition
  const images = billing === null ? null : await findInsuranceImages(scope, secrets, row)
  return billing === null || images === null
    ? requisition
    : { ...requisition, billing: { ...billing, ...images } }
}

/** Returns the images of an order; null when it has none. */
export async function findInsuranceImages(
  scope: Scope,
  secrets: SecretBox,
  row: OrderRow,
): Promise<InsuranceImages | null> {
  if (!row.health_insurance?.has_images) return null
  const stored = await repository.findImages(scope, row.id)
  if (stored === undefined) return null
  return JSON.parse(secrets.open(stored.sealed, contextOf(stored.user_id)))
}

/** An image of an order. */
export interface InsuranceImage {
  orderId: string
  side: string
  contentType: string
  content: Buffer
}

/** Returns all images of a person's insurance cards and signatures. */
export async function listInsuranceImages(
  scope: RowScope,
  secrets: SecretBox,
  userId: string,
): Promise<InsuranceImage[]> {
  const rows = await repository.listImagesOfUser(scope, userId)
  return rows.flatMap(({ order_id: orderId, user_id, sealed }) => {
    const images: InsuranceImages = JSON.parse(secrets.open(sealed, contextOf(user_id)))
    return Object.entries(images).flatMap(([side, image]) => {
      if (image === null) return []
      const content = Buffer.from(image.content, 'base64')
      return [{ orderId, side, contentType: image.content_type, content }]
    })
  })
}
