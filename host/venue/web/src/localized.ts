// An element that is drawn again whenever the viewer chooses another language, appearance or notation.

import { LitElement } from 'lit'
import { settings } from './settings'

/** The base of every element that shows words. */
export abstract class Localized extends LitElement {
  override connectedCallback(): void {
    super.connectedCallback()
    settings.addEventListener('change', this.onSettings)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    settings.removeEventListener('change', this.onSettings)
  }

  private readonly onSettings = () => {
    this.requestUpdate()
  }
}
