import './style/base.css'
import './app'
import { offerHanFont } from './style/han-font'

offerHanFont()
