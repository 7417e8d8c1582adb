/**
 * A request that cannot or must not be written, most often because a target named a strange URL. Nothing was sent.
 */
export class UnsendableRequest extends TypeError {
  override readonly name = 'UnsendableRequest'
  readonly code = 'unsendable'
}
