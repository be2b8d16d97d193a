package com.example.billing

import io.locket.UniqueJob
import io.locket.job.definition.InvalidUniqueJobException
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test

import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

/**
 * Tests for functions that cannot be jobs, which stop start-up.
 */
class RefusedFunctionsTests {

    @Test
    fun suspendFunctionStopsStartUp() {
        assertThatExceptionOfType(InvalidUniqueJobException::class.java)
            .isThrownBy { SpringApplicationBuilder(WithSuspendFunction::class.java).run().close() }
            .withMessageContaining("suspend function")
    }

    @Test
    fun functionOfAFinalClassStopsStartUp() {
        assertThatExceptionOfType(InvalidUniqueJobException::class.java)
            .isThrownBy { SpringApplicationBuilder(WithFinalClass::class.java).run().close() }
            .withMessageContaining("Closed is final, so no proxy can extend it")
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    class WithSuspendFunction {

        @Bean
        fun suspending() = Suspending()

    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    class WithFinalClass {

        @Bean
        fun closed() = Closed()

    }

    open class Suspending {

        @UniqueJob(name = "suspending")
        open suspend fun work() {
        }

    }

    class Closed {

        @UniqueJob(name = "closed")
        fun work() {
        }

    }

}
