package com.example.billing

import java.util.concurrent.CopyOnWriteArrayList

import org.springframework.stereotype.Component

@Component
class Letters {

    val sent = CopyOnWriteArrayList<String>()

    fun send(text: String) {
        sent += text
    }

}
